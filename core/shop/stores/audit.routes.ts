import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Id, List } from '../../http/schema.ts'
import { csvResponse, exportCsv, exportQuery } from '../../http/table/csv-export.ts'
import { AuditEntry, auditList } from '../../platform/audit/audit.model.ts'
import { auditColumns } from '../../platform/audit/export-audit.ts'
import { listChanges } from '../../platform/audit/list-changes.ts'

/** Routes that list and export the audit log of a store. */
export const audit = ({ sql, authority }: Context) =>
  new Elysia({ name: 'audit', prefix: '/v1/stores/:storeId/audit' })
    .use(authority)
    .get('', ({ store, query }) => listChanges(sql, store.id, query), {
      member: ['admin', 'audit:read'],
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
    .get(
      '/export.csv',
      ({ store, query, request }) =>
        exportCsv({ request, query, ownerId: store.id, name: 'audit' }, auditColumns, (asked) => listChanges(sql, store.id, asked)),
      {
        member: ['admin', 'audit:read'],
        params: T.Object({ storeId: Id }),
        query: exportQuery(auditList.query),
        detail: {
          tags: ['Stores'],
          summary: 'Export the audit log as CSV, with the filters of its list, newest first',
          operationId: 'exportAudit',
          ...csvResponse,
        },
      },
    )
