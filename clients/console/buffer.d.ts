/** The client library looks whether it runs in Node; the page does not. */
declare const Buffer: any;
