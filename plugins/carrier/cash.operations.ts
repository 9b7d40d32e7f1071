import { Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import type { CarrierOperation } from './operations.ts'
import { exact, Finance, Id, OwedLine, Payout, PayoutDetail, Query, Text } from './segments.model.ts'

const agedDays = T.Optional(t.Integer({ minimum: 0, maximum: 3650, default: 14 }))
const Limit = (most: number) => T.Optional(t.Integer({ minimum: 1, maximum: most, default: most }))

/** What is asked of the cash ledger, for every carrier: what a carrier tells of money itself is only a source of it. */
export const cashOperations = {
  finance: {
    methods: ['GET'],
    paths: ['finance'],
    role: 'admin',
    needs: [],
    summary: 'Cash that the carrier collected, holds and paid',
    query: Query({ agedDays }),
    response: Finance,
  },
  cashPreview: {
    methods: ['GET'],
    paths: ['encaissements/preview'],
    role: 'admin',
    needs: [],
    summary: 'What the carrier owes: parcels delivered and not paid, oldest first',
    query: Query({ agedDays, limit: Limit(5000), after: Text(64) }),
    response: T.Array(OwedLine),
  },
  cashBatches: {
    methods: ['GET'],
    paths: ['encaissements/batches'],
    role: 'admin',
    needs: [],
    summary: "Payouts, newest first: the carrier's own, and sheets that were imported",
    query: Query({ limit: Limit(200), after: Text(64) }),
    response: T.Array(Payout),
  },
  cashBatch: {
    methods: ['GET'],
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
  },
  cashConfirm: {
    methods: ['POST'],
    paths: ['encaissements/batches/confirm'],
    role: 'admin',
    needs: [],
    summary: 'Say that a payout arrived: its parcels are paid',
    body: exact({ batchId: Id }),
    response: Payout,
  },
  cashReverse: {
    methods: ['POST'],
    paths: ['encaissements/batches/reverse'],
    role: 'admin',
    needs: [],
    summary: 'Take the confirmation of a payout back: its parcels are owed again',
    body: exact({ batchId: Id }),
    response: Payout,
  },
  syncCash: {
    methods: ['POST'],
    paths: ['sync/cashin'],
    role: 'admin',
    needs: [],
    summary: "Take over the carrier's word on cash",
    response: T.Object({ parcels: T.Integer(), changed: T.Integer() }),
  },
} as const satisfies Record<string, CarrierOperation>
