import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Carrier, CarrierError, Sent, Shipment } from '../contract.ts'
import type { Desk, DeskOptions, Rig } from './rig.ts'

/** What a case works with: the carrier under watch, its other side, and connections. */
export interface Bench {
  readonly carrier: Carrier
  readonly rig: Rig
  open(options?: DeskOptions): Desk
  /** A parcel that was sent well. */
  sent(change?: Partial<Shipment>, desk?: Desk): Promise<{ desk: Desk; shipment: Shipment; sent: Sent }>
}

const shortestSecret = 6

/** Runs one case; whatever it was about, no secret may have come out and no undeclared host may have been asked. */
export async function bench(carrier: Carrier, rig: Rig, run: (bench: Bench) => Promise<void> | void): Promise<void> {
  const seen: unknown[] = []
  const desks: Desk[] = []
  const open = (options?: DeskOptions) => {
    const desk = rig.open(options)
    desks.push(desk)
    return desk
  }
  const watchedCarrier = watched(carrier, seen)
  const sent: Bench['sent'] = async (change, desk = open()) => {
    const shipment = rig.shipment(change)
    return { desk, shipment, sent: await watchedCarrier.send(desk.context, shipment) }
  }
  try {
    await run({ carrier: watchedCarrier, rig, open, sent })
  } finally {
    rig.calm()
  }
  leaksNothing(carrier, rig, [...seen, ...desks.flatMap(({ logged }) => logged)])
  same(
    desks.flatMap(({ undeclared }) => undeclared),
    [],
    'hosts asked for but not declared',
  )
}

/** The same object, with everything that its functions return or throw written down. */
function watched<O extends object>(target: O, seen: unknown[]): O {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name)
      if (name === 'webhook' || name === 'cash') return member && watched(member as object, seen)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        try {
          const result: unknown = await member.apply(object, args)
          seen.push(result)
          return result
        } catch (error) {
          seen.push(error)
          throw error
        }
      }
    },
  })
}

function leaksNothing(carrier: Carrier, rig: Rig, seen: readonly unknown[]): void {
  const values = [rig.badCredentials ?? {}, rig.credentials].flatMap(Object.entries<unknown>)
  const secrets = values.filter(([name]) => carrier.credentials[name]?.secret).map(([, value]) => String(value))
  const words = seen.map(wordsOf).join('\n')
  const leaked = secrets.filter((secret) => secret.length >= shortestSecret && words.includes(secret))
  same(leaked.length, 0, 'secrets in what was returned, logged or thrown')
}

const wordsOf = (value: unknown): string =>
  value instanceof Error
    ? `${value.message} ${JSON.stringify(value)} ${value.cause === undefined ? '' : wordsOf(value.cause)}`
    : (JSON.stringify(value) ?? '')

export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, shall] = [JSON.stringify(actual), JSON.stringify(expected)]
  check(is === shall, `${what}: expected ${shall}, got ${is}`)
}

/** Plain data of exactly this shape. */
export function fits(schema: TSchema, value: unknown, what: string): void {
  const problem = Value.Errors(schema, value).First()
  check(!problem, `${what}: ${problem?.path} ${problem?.message}, got ${JSON.stringify(problem?.value)}`)
  same(Value.Equal(structuredClone(value), value), true, `${what} is plain data`)
}

export const unique = (values: readonly string[], what: string) => same(new Set(values).size, values.length, `${what} are all different`)

/** Resolves to the error; fails where there is none or its reason is another. */
export async function fails(attempt: unknown, reasons: readonly CarrierError['reason'][], what: string): Promise<CarrierError> {
  const error = await Promise.resolve(attempt).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  check(error instanceof Error, `${what}: expected ${reasons.join(' or ')}, but it succeeded`)
  check(error.name === 'CarrierError', `${what}: expected a CarrierError, got ${error.name}: ${error.message}`)
  const found = error as CarrierError
  check(reasons.includes(found.reason), `${what}: expected ${reasons.join(' or ')}, got ${found.reason}: ${found.message}`)
  check(found.message.length > 5, `${what}: the message says what to do`)
  return found
}
