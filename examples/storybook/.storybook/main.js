export default {
  framework: '@storybook/html-vite',
  stories: ['../stories/*.stories.js'],
  // The service worker of MSW.
  staticDirs: ['../public'],
  core: { disableTelemetry: true },
};
