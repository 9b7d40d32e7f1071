import type { Shipment, Warning } from '../contract.ts'
import { localPhones, refuse } from './algeria.ts'

type Recipient = Shipment['recipient']

/** The name as it was written; refuses a missing one. */
export function nameOf({ name }: Pick<Recipient, 'name'>): string {
  return name.trim() || refuse('bad_name', 'The recipient has no name. Add one.')
}

/** For a carrier that wants two names: the first word, and the rest. A person with one name has it twice. */
export function twoNames(recipient: Pick<Recipient, 'name'>): { first: string; rest: string } {
  const [first = '', ...others] = nameOf(recipient).split(/\s+/)
  return { first, rest: others.join(' ') || first }
}

export interface Phones {
  readonly first: string
  /** Further ones, each once; those of `phone` stand before those of `phoneAlt`. */
  readonly others: readonly string[]
  /** Says that `phoneAlt` holds no number that could be sent. */
  readonly warnings: Warning[]
}

/** The recipient's Algerian numbers, written as `localPhones` does. Refuses where `phone` holds none. */
export function phonesOf({ phone, phoneAlt = '' }: Recipient): Phones {
  const [own, alternative] = [localPhones(phone), localPhones(phoneAlt)]
  if (own.length === 0) refuse('bad_phone', `"${phone}" is not an Algerian telephone number. Write it like 0550000000.`)
  const [first = '', ...others] = new Set([...own, ...alternative])
  const isUnreadable = phoneAlt.trim() !== '' && alternative.length === 0
  return { first, others, warnings: isUnreadable ? [dropped('The second telephone number is not Algerian and was not sent.')] : [] }
}

/** For a carrier that takes two numbers; whatever else was given is warned about. */
export function twoPhones(recipient: Recipient, label: string): { first: string; second?: string; warnings: Warning[] } {
  const { first, others, warnings } = phonesOf(recipient)
  const [second, ...rest] = others
  const isDropped = rest.length > 0 || warnings.length > 0
  return {
    first,
    ...(second !== undefined && { second }),
    warnings: isDropped ? [dropped(`${label} takes two Algerian telephone numbers; others were not sent.`)] : [],
  }
}

const dropped = (message: string): Warning => ({ code: 'phone_alt_dropped', message })
