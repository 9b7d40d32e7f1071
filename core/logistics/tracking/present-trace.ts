import type { Trace } from '../../integrations/egress/traces.model.ts'

/** Texts of the outcomes of reports. */
const OUTCOME_TEXTS: Readonly<Record<string, string>> = {
  applied: 'It changed the status of the parcel.',
  cash: 'It changed the cash status of the parcel.',
  stale: 'It is older than the last report that changed the parcel, so it changed nothing.',
  same: 'It repeats a known status, so it changed nothing.',
  unmapped: 'The meaning of this status is not defined, so it changed nothing. Define it with a status rule of the connection.',
  impossible: 'A parcel cannot change from its status to this one, so it changed nothing.',
  ignored: 'It does not report a status of the parcel, so it changed nothing.',
}

/** Trace entry as the API shows it. */
export const presentTrace = ({ report, ...trace }: Trace): Trace => ({
  ...trace,
  ...(report && { message: OUTCOME_TEXTS[trace.outcome] ?? null }),
  report: report && { ...report, at: new Date(report.at).toISOString() },
})
