# Serves mocks. State is in memory, in the volume /state (--state /state), or in Redis (--store redis://HOST:PORT).
#
#     docker build -t specmill .
#     docker run -p 127.0.0.1:8080:8080 specmill
FROM node:22-slim AS pack
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# The same file that npm gets: its script `prepack` builds.
RUN mkdir /tarball && npm pack --pack-destination /tarball

FROM node:22-slim AS install
WORKDIR /app
COPY --from=pack /tarball /tarball
# The packages of --state and --store are optional peers.
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund /tarball/specmill-*.tgz lmdb@^3.5.6 @redis/client@^6.3.1

FROM node:22-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=install /app ./
RUN mkdir /state && chown node:node /state
USER node
VOLUME /state
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/__specmill/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/specmill/dist/cli/main.js"]
CMD ["mock", "signing", "--host", "0.0.0.0", "--port", "8080"]
