import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: `${import.meta.dirname}/ui`,
  base: './',
  plugins: [react()],
  resolve: { conditions: ['tenon-source', 'module', 'browser'] },
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2023',
    // The page is served from this machine: inlined code would need exceptions in its content security policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      input: ['index', 'gateway'].map((name) => `${import.meta.dirname}/ui/${name}.html`),
    },
    reportCompressedSize: false,
    // It comes from this machine in one piece: no screen is waited for.
    chunkSizeWarningLimit: 1_000,
  },
})
