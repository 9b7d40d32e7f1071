import { AdapterError, adapterErrorNames, HOST_FAILURE } from '../../adapter.ts'
import { isRow } from '../../toolkit/values.ts'

/** What is told of an answer whose end never came: what is known of it already, else that it broke off. */
export const brokeOff = (label: string, error?: unknown): unknown =>
  isRow(error) && (adapterErrorNames.includes(String(error.name)) || error.name === HOST_FAILURE)
    ? error
    : new AdapterError('unavailable', `${label} broke off.`, {}, { cause: error })
