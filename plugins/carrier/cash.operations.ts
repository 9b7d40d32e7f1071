import { Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { get, type Operation, post } from '../operation.ts'
import { exact } from '../schema.ts'
import { Finance, Id, OwedLine, Payout, PayoutDetail, Query } from './segments.model.ts'

const agedDays = T.Optional(t.Integer({ minimum: 0, maximum: 3650, default: 14 }))
const Limit = (most: number) => T.Optional(t.Integer({ minimum: 1, maximum: most, default: most }))

/** What is asked of the cash ledger, for every carrier: what a carrier tells of money itself is only a source of it. */
export const cashOperations = {
  finance: get({
    paths: ['finance'],
    role: 'admin',
    needs: [],
    summary: 'Cash that the carrier collected, holds and paid',
    query: Query({ agedDays }),
    response: Finance,
  }),
  cashPreview: get({
    paths: ['encaissements/preview'],
    role: 'admin',
    needs: [],
    summary: 'What the carrier owes: parcels delivered and not paid, oldest first',
    query: Query({ agedDays }),
    rows: OwedLine,
  }),
  cashBatches: get({
    paths: ['encaissements/batches'],
    role: 'admin',
    needs: [],
    summary: "Payouts, newest first: the carrier's own, and sheets that were imported",
    rows: Payout,
  }),
  cashBatch: get({
    paths: ['encaissements/batches/:batchId'],
    role: 'admin',
    needs: [],
    summary: 'One payout, held line by line against what was owed',
    params: T.Object({ batchId: Id }),
    query: Query({
      agedDays,
      limit: Limit(20_000),
      after: T.Optional(t.Integer({ minimum: 0, maximum: 20_000, description: 'the line that the page before ended with' })),
    }),
    response: PayoutDetail,
  }),
  cashConfirm: post({
    paths: ['encaissements/batches/confirm'],
    role: 'admin',
    needs: [],
    summary: 'Say that a payout arrived: its parcels are paid',
    body: exact({ batchId: Id }),
    response: Payout,
  }),
  cashReverse: post({
    paths: ['encaissements/batches/reverse'],
    role: 'admin',
    needs: [],
    summary: 'Take the confirmation of a payout back: its parcels are owed again',
    body: exact({ batchId: Id }),
    response: Payout,
  }),
  syncCash: post({
    paths: ['sync/cashin'],
    role: 'admin',
    needs: [],
    summary: "Take over the carrier's word on cash",
    response: T.Object({ parcels: T.Integer(), changed: T.Integer() }),
  }),
} satisfies Record<string, Operation>
