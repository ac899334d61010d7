export { type PageFinding, type PageOperation, type PageView, renderPage } from '../html-page.js';
export { type JunitCase, type JunitSuite, writeJunit } from '../junit-xml.js';
