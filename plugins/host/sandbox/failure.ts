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
      ...(typeof reason === 'string' && { reason: reason.slice(0, 40) }),
      ...(Object.keys(known).length > 0 && { upstream: known }),
    }
  } catch {
    return { name: 'Error', message: 'Something was thrown that cannot be read.' }
  }
}

/** An error with the same words, for those who tell errors by their name and reason. */
export function errorOf({ name, message, reason, upstream = {} }: Failure): Error {
  return Object.assign(new Error(message), { name, ...(reason !== undefined && { reason, upstream }) })
}
