import { Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { get, type Operation, post } from '../operation.ts'
import { anyOf, exact } from '../schema.ts'
import { Finance, lineOutcomes, OwedLine, Payout, PayoutDetail } from './cash.model.ts'
import { Id, Query } from './segments.model.ts'

const agedDays = T.Optional(t.Integer({ minimum: 0, maximum: 3650, default: 14 }))
const Limit = (most: number) => T.Optional(t.Integer({ minimum: 1, maximum: most, default: most }))

/** Operations of the cash ledger, for every carrier. Reports of the carrier are only one source of it. */
export const cashOperations = {
  finance: get({
    paths: ['finance'],
    role: 'admin',
    permission: 'cash:read',
    needs: [],
    summary: 'Cash that the carrier collected, holds and paid',
    query: Query({ agedDays }),
    response: Finance,
  }),
  cashPreview: get({
    paths: ['encaissements/preview'],
    role: 'admin',
    permission: 'cash:read',
    needs: [],
    summary: 'Amounts that the carrier owes: delivered and unpaid parcels, oldest first',
    query: Query({ agedDays }),
    rows: OwedLine,
  }),
  cashBatches: get({
    paths: ['encaissements/batches'],
    role: 'admin',
    permission: 'cash:read',
    needs: [],
    summary: 'Payouts, newest first: those reported by the carrier, and imported files',
    rows: Payout,
  }),
  cashBatch: get({
    paths: ['encaissements/batches/:batchId'],
    role: 'admin',
    permission: 'cash:read',
    needs: [],
    summary: 'One payout, compared line by line with the amounts owed',
    params: T.Object({ batchId: Id }),
    query: Query({
      agedDays,
      limit: Limit(20_000),
      outcome: T.Optional(anyOf(lineOutcomes)),
      after: T.Optional(t.Integer({ minimum: 0, maximum: 20_000, description: 'last line of the previous page' })),
    }),
    response: PayoutDetail,
  }),
  cashConfirm: post({
    paths: ['encaissements/batches/confirm'],
    role: 'admin',
    permission: 'cash:write',
    needs: [],
    summary: 'Confirm that a payout arrived: its parcels are paid',
    body: exact({ batchId: Id }),
    response: Payout,
  }),
  cashReverse: post({
    paths: ['encaissements/batches/reverse'],
    role: 'admin',
    permission: 'cash:write',
    needs: [],
    summary: 'Revoke the confirmation of a payout: its parcels are owed again',
    body: exact({ batchId: Id }),
    response: Payout,
  }),
  syncCash: post({
    paths: ['sync/cashin'],
    role: 'admin',
    permission: 'cash:write',
    needs: [],
    summary: 'Import the cash statuses that the carrier reports',
    response: T.Object({ parcels: T.Integer(), changed: T.Integer() }),
  }),
} satisfies Record<string, Operation>
