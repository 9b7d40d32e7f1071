import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Id, List } from '../../http/schema.ts'
import { AuditEntry, auditList } from '../../platform/audit/audit.model.ts'
import { listChanges } from '../../platform/audit/list-changes.ts'

/** Route that lists the audit log of a store for its owner. */
export const audit = ({ sql, authority }: Context) =>
  new Elysia({ name: 'audit', prefix: '/v1/stores/:storeId/audit' })
    .use(authority)
    .get('', ({ store, query }) => listChanges(sql, store.id, query), {
      member: 'owner',
      params: T.Object({ storeId: Id }),
      query: auditList.query,
      response: List(AuditEntry),
      detail: {
        tags: ['Stores'],
        summary:
          'List changes of members, keys, connections, prices, promotions, order statuses and lines, and blocks; newest first, kept for two years',
        description: 'Lists changes by users and API keys. Changes by carriers and jobs are in the history of each order.',
        operationId: 'listAudit',
      },
    })
