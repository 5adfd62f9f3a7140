/** The description of the protocol for programs, as the server gives it out. Start at {@link dev.execserver.server.schema.SchemaDocuments}. */
package dev.execserver.server.schema;
