import { Type as T } from '@sinclair/typebox'
import { type Operation, post } from '../operation.ts'
import { exact } from '../schema.ts'
import type { MemberName } from './members.ts'

const signingIn = {
  storeId: T.String({ minLength: 1, maxLength: 64 }),
  password: T.String({ minLength: 1, maxLength: 200 }),
  settings: T.Optional(
    T.Record(T.String({ pattern: '^[A-Za-z0-9]{1,60}$' }), T.Union([T.String({ maxLength: 500 }), T.Number(), T.Boolean()]), {
      additionalProperties: false,
      description: 'settings of the connection: see GET /v1/adapters. Others stay unchanged',
    }),
  ),
}
const byPassword = {
  paths: [],
  role: 'admin',
  scope: 'stores:write',
  needs: ['createToken'],
  response: T.Object({
    connectionId: T.String(),
    connected: T.Boolean({ description: 'true if the carrier accepts the token' }),
    message: T.Union([T.String(), T.Null()]),
  }),
} as const

/** Operations that connect a store with a login and a password at the carrier. */
export const signInOperations = {
  createToken: post({
    ...byPassword,
    brand: '/v1/actions/create{Brand}Token',
    summary: 'Connect a store with an email and a password at the carrier: they are exchanged for a token, and not stored',
    body: exact({ ...signingIn, email: T.String({ minLength: 1, maxLength: 254 }) }),
  }),
  createApiKey: post({
    ...byPassword,
    brand: '/v1/actions/create{Brand}ApiKey',
    summary: 'Connect a store with a login and a password at the carrier: they are exchanged for a key, and not stored',
    body: exact({ ...signingIn, username: T.String({ minLength: 1, maxLength: 254 }) }),
  }),
} satisfies Record<string, Operation & { readonly needs: readonly (MemberName | 'webhook')[] }>
