import { Type as T } from '@sinclair/typebox'
import { get, post } from './operation.ts'
import { exact } from './schema.ts'

/** Operations on a connection of any kind. */
export const connectionOperations = {
  testConnection: post({
    paths: ['testConnection'],
    role: 'admin',
    needs: ['testConnection'],
    summary: 'Test the credentials',
    response: T.Object({ ok: T.Boolean(), account: T.Optional(T.String()), message: T.Optional(T.String()) }),
  }),
  enable: post({
    paths: ['enable'],
    role: 'admin',
    needs: [],
    summary: 'Switch the connection on or off',
    body: exact({ enabled: T.Boolean() }),
    response: T.Object({ key: T.String(), enabled: T.Boolean() }),
  }),
}

/** Operations on a connection whose platform can send callbacks. */
export const heardConnectionOperations = {
  webhookUrl: get({
    paths: ['webhookUrl'],
    role: 'admin',
    needs: ['webhook'],
    summary: 'The address to enter in the dashboard of the other side',
    response: T.Object({ url: T.String() }),
  }),
  ...connectionOperations,
}
