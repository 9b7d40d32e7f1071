import { AdapterError } from 'serai/model'
import { label, type Sandbox } from './fields.ts'

/** Waits `ms`, or for ever without it; rejects when the caller aborts. */
export function pause({ signal }: Sandbox, ms?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new AdapterError('unavailable', `${label} did not answer.`))
    if (signal.aborted) return gone()
    signal.addEventListener('abort', gone, { once: true })
    if (ms !== undefined) setTimeout(resolve, ms)
  })
}
