import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';

import manifest from '../package.json' with { type: 'json' };
import sidebar from './sidebar.json' with { type: 'json' };

// The address of the repository and of the site come from package.json, and the sidebar from `npm run site`.
const { origin, pathname } = new URL(manifest.homepage);

export default defineConfig({
  site: origin,
  base: pathname,
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: 'specmill',
      description: manifest.description,
      social: [{ icon: 'github', label: 'GitHub', href: manifest.repository.url.replace(/^git\+|\.git$/g, '') }],
      sidebar,
      customCss: ['./src/site.css'],
      credits: false,
    }),
  ],
});
