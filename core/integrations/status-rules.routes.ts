import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { foldStatus } from '../../plugins/carrier/statuses.ts'
import type { Context } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { Data, Id } from '../http/schema.ts'
import { accessStore } from '../stores/access.ts'
import { type Account, openAccount } from './call-carrier.ts'
import { findAccountByKey } from './integrations.queries.ts'
import { mapStatus } from './map-status.ts'
import { MappedStatus, StatusRule, UnknownStatus } from './status-rules.model.ts'
import { deleteRule, listRules, listUnknown } from './status-rules.queries.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Integrations'], summary, operationId })
const ByKey = T.Object({ storeId: Id, key: T.String({ maxLength: 60 }) })
const SHOWN_MAX = 500

/** The inbox of raw statuses that no table knows, and what a connection's people said they mean. */
export const statusRules = (context: Context) => {
  const connected = async (storeId: string, key: string): Promise<Account> => {
    const row = await findAccountByKey(context.sql, storeId, key)
    if (!row) throw notFound(`A connection to ${key}`)
    return openAccount(context, row)
  }
  return new Elysia({ name: 'status-rules', prefix: '/v1/stores/:storeId/integrations/:key/statuses' })
    .use(context.auth)
    .get(
      '',
      async ({ caller, params }) => {
        await accessStore(context, caller, params.storeId, 'viewer')
        const { row } = await connected(params.storeId, params.key)
        return { data: await listRules(context.sql, row.id, SHOWN_MAX) }
      },
      {
        access: 'stores:read',
        params: ByKey,
        response: Data(T.Array(MappedStatus)),
        detail: describe('Raw statuses that this connection reads in its own way', 'listStatusRules'),
      },
    )
    .get(
      '/unknown',
      async ({ caller, params }) => {
        await accessStore(context, caller, params.storeId, 'viewer')
        const { row } = await connected(params.storeId, params.key)
        return { data: await listUnknown(context.sql, row.id, SHOWN_MAX) }
      },
      {
        access: 'stores:read',
        params: ByKey,
        response: Data(T.Array(UnknownStatus)),
        detail: describe('Raw statuses that nobody has explained yet, the most said first', 'listUnknownStatuses'),
      },
    )
    .put(
      '',
      async ({ caller, params, body }) => {
        await accessStore(context, caller, params.storeId, 'admin')
        return { data: await mapStatus(context, await connected(params.storeId, params.key), body) }
      },
      {
        access: 'stores:write',
        params: ByKey,
        body: StatusRule,
        response: Data(MappedStatus),
        detail: describe('Say what a raw status means here; parcels that wait for it are moved', 'mapStatus'),
      },
    )
    .delete(
      '',
      async ({ caller, params, query, set }) => {
        await accessStore(context, caller, params.storeId, 'admin')
        const { row } = await connected(params.storeId, params.key)
        if (!(await deleteRule(context.sql, row.id, foldStatus(query.raw)))) throw notFound(`A rule for "${query.raw}"`)
        set.status = 204
      },
      {
        access: 'stores:write',
        params: ByKey,
        query: T.Object({ raw: T.String({ minLength: 1, maxLength: 400, pattern: '^[^\\u0000]*$' }) }),
        response: { 204: T.Void() },
        detail: describe("Go back to the adapter's own reading; what was moved stays", 'unmapStatus'),
      },
    )
}
