import type { Trace } from '../../integrations/egress/traces.model.ts'

/** What became of a report, in words. */
const BECAME: Readonly<Record<string, string>> = {
  applied: 'It moved the parcel.',
  cash: 'It moved the cash of the parcel.',
  stale: 'It is older than what moved the parcel last, and moved nothing.',
  same: 'It says what was known already, and moved nothing.',
  unmapped: 'Nobody has said yet what this status means; it moved nothing. Say it with a status rule of the connection.',
  impossible: 'A parcel does not come to this from where it was; it moved nothing.',
  ignored: 'It says nothing of where the parcel is, and moved nothing.',
}

/** A trace as it is shown. */
export const presentTrace = ({ report, ...trace }: Trace): Trace => ({
  ...trace,
  ...(report && { message: BECAME[trace.outcome] ?? null }),
  report: report && { ...report, at: new Date(report.at).toISOString() },
})
