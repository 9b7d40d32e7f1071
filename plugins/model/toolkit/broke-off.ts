import { AdapterError, adapterErrorNames, HOST_FAILURE } from '../../adapter.ts'
import { isRow } from '../../toolkit/values.ts'

/** Creates the error for an answer without an end: an adapter's or host's error stays as it is, all others become `unavailable`. */
export const brokeOff = (label: string, error?: unknown): unknown =>
  isRow(error) && (adapterErrorNames.includes(String(error.name)) || error.name === HOST_FAILURE)
    ? error
    : new AdapterError('unavailable', `${label} broke off.`, {}, { cause: error })
