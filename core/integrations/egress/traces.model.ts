import { type Static, Type as T } from '@sinclair/typebox'
import { Nullable, named, Timestamp } from '../../http/schema.ts'

/** One request to the carrier and what came back, secrets taken out, bodies cut. */
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
      T.String({ description: 'the beginning of the body answered: 8 KiB, and two more for each parcel; the size where it is no text' }),
    ),
    error: Nullable(T.String({ description: 'why there was no answer' })),
  }),
)
export type Exchange = Static<typeof Exchange>

/** What the carrier said of the parcel by itself, or when it was asked for news. */
export const TracedReport = named(
  'TracedReport',
  T.Object({
    at: Timestamp,
    source: T.String({ description: 'poller or webhook:{carrier}' }),
    carrierStatus: Nullable(T.String()),
    reason: Nullable(T.String()),
  }),
)

/** One thing asked of a carrier's adapter, with every request that it took; or one thing that the carrier said. */
export const Trace = named(
  'Trace',
  T.Object({
    id: T.String(),
    at: Timestamp,
    ms: T.Integer(),
    operation: T.String({ description: 'send, track, cancel, webhook …; report for what the carrier said' }),
    outcome: T.String({
      description:
        'ok, or why not: refused, unauthorized, rate_limited, not_found, unavailable, timeout; of a report applied, cash, or why it moved nothing: stale, same, unmapped, impossible, ignored',
    }),
    message: Nullable(T.String()),
    exchanges: T.Array(Exchange),
    report: Nullable(TracedReport),
  }),
)
export type Trace = Static<typeof Trace>
