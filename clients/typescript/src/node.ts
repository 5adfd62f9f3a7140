/** What needs the files and sockets of Node: transfers over HTTP, and copies of directories. */
export { Transfers } from './transfers-node.js';
export type { Download, UploadOptions, UploadSource } from './transfers-node.js';
export { downloadTree, uploadTree } from './trees-node.js';
export type { Copied } from './trees-node.js';
