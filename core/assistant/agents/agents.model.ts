import { Type as T } from '@sinclair/typebox'
import { named } from '../../http/schema.ts'

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

/** What is sent and answered is the protocol's matter, not ours. */
export const spoken = {
  requestBody: { required: true, content: { 'application/json': { schema: message } } },
  responses: {
    200: { description: 'The answer, of JSON-RPC.', content: { 'application/json': { schema: message } } },
    202: { description: 'Heard: there is nothing to answer.', content: { 'application/json': { schema: { description: 'nothing' } } } },
  },
}
