import type { Failure } from './protocol.ts'

const clip = (value: unknown, length: number) => (typeof value === 'string' ? value.slice(0, length) : undefined)

/** Converts anything thrown into plain, short data. Strange values (null, throwing getters, megabytes of text) become something short. */
export function failureOf(thrown: unknown): Failure {
  try {
    const { name, message, reason, upstream } = Object(thrown) as Record<string, unknown>
    const words = clip(message, 500) ?? clip(thrown, 500) ?? 'A value was thrown that is not an error.'
    const { code, message: said, retryAfterSeconds: wait } = Object(upstream) as Record<string, unknown>
    const known = {
      ...(code !== undefined && { code: String(code).slice(0, 200) }),
      ...(typeof said === 'string' && { message: said.slice(0, 500) }),
      ...(typeof wait === 'number' && wait >= 0 && wait <= 1e7 && { retryAfterSeconds: wait }),
    }
    return {
      name: clip(name, 60) ?? 'Error',
      message: words,
      ...framesOf(thrown, message),
      ...(typeof reason === 'string' && { reason: reason.slice(0, 40) }),
      ...(Object.keys(known).length > 0 && { upstream: known }),
    }
  } catch {
    return { name: 'Error', message: 'A value was thrown that cannot be read.' }
  }
}

const FRAME = /adapter-[0-9a-f]{64}/
const FRAMES_MAX = 12
const MESSAGE_READ = 10_000
const STACK_READ = 20_000

/** Returns the stack lines in the adapter's bundle. A stack repeats the message, so it is not even computed for a very long message. */
function framesOf(thrown: unknown, message: unknown): Pick<Failure, 'stack'> {
  if (typeof message === 'string' && message.length > MESSAGE_READ) return {}
  const { stack } = Object(thrown) as { stack?: unknown }
  const frames =
    typeof stack === 'string'
      ? stack
          .slice(0, STACK_READ)
          .split('\n')
          .filter((line) => FRAME.test(line))
      : []
  return frames.length > 0 ? { stack: frames.slice(0, FRAMES_MAX).join('\n').slice(0, 4000) } : {}
}

/** Creates an error from a failure, with its name and reason. */
export function errorOf({ name, message, reason, upstream = {} }: Failure): Error {
  return Object.assign(new Error(message), { name, ...(reason !== undefined && { reason, upstream }) })
}
