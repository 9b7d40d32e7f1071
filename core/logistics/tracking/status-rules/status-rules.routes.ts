import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { foldStatus } from '../../../../plugins/carrier/statuses.ts'
import type { Context } from '../../../context.ts'
import { foreignCursor, readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../../http/schema.ts'
import { type CarrierConnection, openConnection } from '../../../integrations/connections/connection.ts'
import { findConnectionByKey } from '../../../integrations/connections/connections.queries.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { mapStatus } from './map-status.ts'
import { MappedStatus, StatusRule, UnknownStatus } from './status-rules.model.ts'
import { deleteStatusRule, listStatusRules, listUnknownStatuses } from './status-rules.queries.ts'

const describe = tagOperations('Integrations')
const ByKey = T.Object({ storeId: Id, key: T.String({ maxLength: 60 }) })

/** Routes of the status rules of a connection, and of its unknown statuses. */
export const statusRuleRoutes = (context: Context) => {
  const openFoundConnection = async (storeId: string, key: string): Promise<CarrierConnection> => {
    const row = await findConnectionByKey(context.sql, storeId, key)
    if (!row) throw notFound(`A connection to ${key}`)
    return openConnection(context, 'carrier', row)
  }
  return new Elysia({ name: 'status-rules', prefix: '/v1/stores/:storeId/integrations/:key/statuses' })
    .use(context.authority)
    .get(
      '',
      async ({ store, params, query }) => {
        const { row } = await openFoundConnection(store.id, params.key)
        return readKeysetPage(
          query,
          (after, take) => listStatusRules(context.sql, row, after, take),
          ({ raw }) => raw,
        )
      },
      {
        store: ['viewer', 'stores:read'],
        params: ByKey,
        query: T.Object(pageQuery),
        response: List(MappedStatus),
        detail: describe('List the status rules of a connection', 'listStatusRules'),
      },
    )
    .get(
      '/unknown',
      async ({ store, params, query }) => {
        const { row } = await openFoundConnection(store.id, params.key)
        return readKeysetPage(
          query,
          (after, take) => listUnknownStatuses(context.sql, row, after === null ? null : parseCursor(after), take),
          ({ count, raw }) => `${count} ${raw}`,
        )
      },
      {
        store: ['viewer', 'stores:read'],
        params: ByKey,
        query: T.Object(pageQuery),
        response: List(UnknownStatus),
        detail: describe('List raw statuses without a meaning, the most frequent first', 'listUnknownStatuses'),
      },
    )
    .put(
      '',
      async ({ store, params, body }) => ({ data: await mapStatus(context, await openFoundConnection(store.id, params.key), body) }),
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        body: StatusRule,
        response: Data(MappedStatus),
        detail: describe('Define the meaning of a raw status for this connection, and apply the reports that wait for it', 'mapStatus'),
      },
    )
    .delete(
      '',
      async ({ store, params, query, set }) => {
        const { row } = await openFoundConnection(store.id, params.key)
        if (!(await deleteStatusRule(context.sql, row, foldStatus(query.raw)))) throw notFound(`A rule for "${query.raw}"`)
        set.status = 204
      },
      {
        store: ['admin', 'stores:write'],
        params: ByKey,
        query: T.Object({ raw: T.String({ minLength: 1, maxLength: 400, pattern: '^[^\\u0000]*$' }) }),
        response: { 204: T.Void() },
        detail: describe('Delete a status rule; the changes that it made stay', 'unmapStatus'),
      },
    )
}

const CURSOR = /^(\d{1,9}) (.+)$/s

function parseCursor(after: string) {
  const [, count, raw] = CURSOR.exec(after) ?? []
  if (count === undefined || raw === undefined) throw foreignCursor()
  return { count: Number(count), raw }
}
