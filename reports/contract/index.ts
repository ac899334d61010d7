export { type PageFinding, type PageOperation, type PageView, renderPage } from './page.js';
export { type JunitCase, type JunitSuite, writeJunit } from './write-junit.js';
