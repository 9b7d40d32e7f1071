import { type Static, Type as T } from '@sinclair/typebox'
import { Nullable, named, Timestamp } from '../../http/schema.ts'

/** Request to a carrier and its response, with secrets removed and bodies cut. */
export const Exchange = named(
  'TracedExchange',
  T.Object({
    at: Timestamp,
    ms: T.Integer(),
    method: T.String(),
    url: T.String(),
    request: Nullable(T.String({ description: 'the beginning of the body sent: 4 KiB, and one more for each parcel that it is about' })),
    status: Nullable(T.Integer()),
    response: Nullable(
      T.String({ description: 'the beginning of the response body: 8 KiB, and two more for each parcel; the size of a binary body' }),
    ),
    error: Nullable(T.String({ description: 'why there was no answer' })),
  }),
)
/** Type of {@link Exchange}. */
export type Exchange = Static<typeof Exchange>

/** Status report that a carrier sent by itself or returned to a poll. */
const TracedReport = named(
  'TracedReport',
  T.Object({
    at: Timestamp,
    source: T.String({ description: 'poller or webhook:{carrier}' }),
    carrierStatus: Nullable(T.String()),
    reason: Nullable(T.String()),
  }),
)

/** Call of an adapter with all its requests, or a status report of a carrier. */
export const Trace = named(
  'Trace',
  T.Object({
    id: T.String(),
    at: Timestamp,
    ms: T.Integer(),
    operation: T.String({ description: 'send, track, cancel, webhook …; report for a status report of the carrier' }),
    outcome: T.String({
      description:
        'ok, or why not: refused, unauthorized, rate_limited, not_found, unavailable, timeout; of a report applied, cash, or why it moved nothing: stale, same, unmapped, impossible, ignored',
    }),
    message: Nullable(T.String()),
    exchanges: T.Array(Exchange),
    report: Nullable(TracedReport),
  }),
)
/** Type of {@link Trace}. */
export type Trace = Static<typeof Trace>
