/**
 * Generator of the machine-readable description of the protocol: {@code docs/schema}, the types of the clients in other
 * languages and the reference pages.
 *
 * <p>Start at {@link dev.execserver.protocol.schema.SchemaFiles}. The members of a message and their kinds come from the
 * code that reads it, their descriptions from the Javadoc of its record. What the code does not say in this form is in
 * {@code src/test/resources/schema}.
 */
package dev.execserver.protocol.schema;
