import type { Adapter } from '../adapter.ts'
import { type Secrets, secretsOf } from './calls.ts'
import { assertEqual } from './checks.ts'

/** Their answers are secrets, and are kept as such. */
const GIVING: ReadonlySet<unknown> = new Set(['createToken', 'setupWebhook'])

/** The an adapter and records everything that its functions, and those of its groups, return or throw. */
export function recordAdapter<O extends object>(target: O, groups: readonly string[], seen: unknown[]): O {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name)
      if (groups.includes(String(name))) return member && recordAdapter(member as object, [], seen)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const answer: unknown = begin(() => member.apply(object, args))
        return isStream(answer) ? recordStream(answer, seen) : recordResult(answer, seen, { givesSecrets: GIVING.has(name) })
      }
    },
  })
}

/** Turns a synchronous error into a rejected promise. */
function begin(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return Promise.reject(error)
  }
}

const isStream = (answer: unknown): answer is AsyncIterable<unknown> => Symbol.asyncIterator in Object(answer)

async function recordResult(answer: unknown, seen: unknown[], { givesSecrets }: { readonly givesSecrets: boolean }): Promise<unknown> {
  try {
    const result = await answer
    if (!givesSecrets) seen.push(result)
    return result
  } catch (error) {
    seen.push(error)
    throw error
  }
}

async function* recordStream(answer: AsyncIterable<unknown>, seen: unknown[]) {
  try {
    for await (const part of answer) {
      seen.push(part)
      yield part
    }
  } catch (error) {
    seen.push(error)
    throw error
  }
}

/** Checks that no secret of the rig is part of what was recorded. */
export function assertNoSecretsLeaked(adapter: Pick<Adapter, 'credentials'>, rig: Secrets, seen: readonly unknown[]): void {
  const words = seen.map(wordsOf).join('\n')
  const leaked = secretsOf(adapter, rig).filter((secret) => words.includes(secret))
  assertEqual(leaked.length, 0, 'secrets in what was returned, logged or thrown')
}

const wordsOf = (value: unknown): string =>
  value instanceof Error
    ? `${value.message} ${JSON.stringify(value)} ${value.cause === undefined ? '' : wordsOf(value.cause)}`
    : (JSON.stringify(value) ?? '')
