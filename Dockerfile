# Serves mocks. State is in memory, in the volume /state (--state /state), or in Redis (--store redis://HOST:PORT).
#
#     docker build -t specmill .
#     docker run -p 127.0.0.1:8080:8080 specmill
FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# The packages of --state and --store are optional peers.
RUN npm run build && npm prune --omit=dev && npm install --no-save --ignore-scripts lmdb@^3.5.6 @redis/client@^6.3.1

FROM node:22-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/specs ./specs
COPY --from=build /app/runtime ./runtime
COPY --from=build /app/templates ./templates
COPY --from=build /app/config/specmill.schema.json ./config/
COPY --from=build /app/mocks/dictionary/words.txt ./mocks/dictionary/
RUN mkdir /state && chown node:node /state
USER node
VOLUME /state
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/__specmill/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["mock", "signing", "--host", "0.0.0.0", "--port", "8080"]
