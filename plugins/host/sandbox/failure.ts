import type { Failure } from './protocol.ts'

const clipped = (value: unknown, length: number) => (typeof value === 'string' ? value.slice(0, length) : undefined)

/** Whatever was thrown, as plain words. What is strange (null, throwing getters, megabytes) becomes something short. */
export function failureOf(thrown: unknown): Failure {
  try {
    const { name, message, reason, upstream } = Object(thrown) as Record<string, unknown>
    const words = clipped(message, 500) ?? clipped(thrown, 500) ?? 'Something was thrown that is no error.'
    const { code, message: said, retryAfterSeconds: wait } = Object(upstream) as Record<string, unknown>
    const known = {
      ...(code !== undefined && { code: String(code).slice(0, 200) }),
      ...(typeof said === 'string' && { message: said.slice(0, 500) }),
      ...(typeof wait === 'number' && wait >= 0 && wait <= 1e7 && { retryAfterSeconds: wait }),
    }
    return {
      name: clipped(name, 60) ?? 'Error',
      message: words,
      ...framesOf(thrown, message),
      ...(typeof reason === 'string' && { reason: reason.slice(0, 40) }),
      ...(Object.keys(known).length > 0 && { upstream: known }),
    }
  } catch {
    return { name: 'Error', message: 'Something was thrown that cannot be read.' }
  }
}

const FRAME = /adapter-[0-9a-f]{64}/
const FRAMES_MAX = 12
const MESSAGE_READ = 10_000
const STACK_READ = 20_000

/** A stack repeats the message: of one that is out of all proportion it is not even made. */
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

/** An error with the same words, for those who tell errors by their name and reason. */
export function errorOf({ name, message, reason, upstream = {} }: Failure): Error {
  return Object.assign(new Error(message), { name, ...(reason !== undefined && { reason, upstream }) })
}
