// Builds the page into dist/web; `npm run web` serves it while it is being worked on, with the API of a
// running service behind it.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const service = process.env.STRATA_URL ?? 'http://127.0.0.1:7080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
  server: {
    host: '127.0.0.1',
    port: 5180,
    proxy: {
      '/api': {
        target: service,
        changeOrigin: true,
        // To the service the page has to look like its own: it refuses cookies from other origins.
        headers: { origin: service, 'sec-fetch-site': 'same-origin' },
      },
    },
  },
});
