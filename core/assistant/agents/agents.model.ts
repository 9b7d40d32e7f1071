import { Type as T } from '@sinclair/typebox'
import { named } from '../../http/schema.ts'

/** OAuth 2.0 protected resource metadata (RFC 9728). */
export const ProtectedResource = named(
  'ProtectedResource',
  T.Object({
    resource: T.String(),
    authorization_servers: T.Array(T.String()),
    scopes_supported: T.Array(T.String()),
    bearer_methods_supported: T.Array(T.String()),
    resource_name: T.String(),
    resource_documentation: T.String(),
  }),
)

const message = { type: 'object', description: 'JSON-RPC 2.0', additionalProperties: true } as const

/** OpenAPI body and responses of the MCP endpoint. The protocol defines the messages, so that they have no schema here. */
export const jsonRpcDetail = {
  requestBody: { required: true, content: { 'application/json': { schema: message } } },
  responses: {
    200: { description: 'The response, as JSON-RPC.', content: { 'application/json': { schema: message } } },
    202: {
      description: 'Accepted: a notification has no response.',
      content: { 'application/json': { schema: { description: 'nothing' } } },
    },
  },
}
