/**
 * Client for exec-server: programs and files of another machine over one WebSocket.
 *
 *     const client = await connect('ws://127.0.0.1:8080');
 *     console.log((await client.run(['uname', '-a'])).text);
 *     await client.end();
 */
export { Client, ProgramFailedError, connect } from './client.js';
export type { Address, ConnectionState, ConnectOptions, ExecOptions, Result, RunOptions } from './client.js';
export * from './errors.js';
export { Files, Watch } from './files.js';
export type { Change, Changes, FileInfo, InSandbox } from './files.js';
export type { Handler, Params } from './link.js';
export type { FollowOptions, Sight } from './observer.js';
export { Process } from './process.js';
export { Sandbox } from './sandbox.js';
export type { SandboxLike } from './sandbox.js';
export type { Exit } from './sequence.js';
export { InputStream, OutputStream } from './streams.js';
export type { WarningHandler } from './warnings.js';
