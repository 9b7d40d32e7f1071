/** Why a schema cannot state what a message refuses: it would need another thing, another field, or a language of its own. */
const REASONS: Readonly<Record<string, RegExp>> = {
  'what a value names is not there, or not of the kind':
    /has no such|There is no carrier|is the code of no state|The order has \d+ lines|This is the same customer|Name all that wait|Only pictures have|Say first which carrier|Its own pieces|Nothing is kept from an owner|^A page of|initialStock is for a new product|is not known: GET|This parcel can collect|Say \w+: one of/,
  'two values contradict each other':
    /before the first day|A range has at most|first not after the last|ends before it begins|twice|min is above max|have the same|begin at the same|Another variant|exactly one owner|Either this or/,
  'what an operation asks of its parts depends on its type':
    /in an operation of type|Only an operation of type|Only the legs of a conversion|for what is consumed|Only of what is postponed|Only a POST|servers whose auth|where auth is|Say what it takes off|At most 100 percent|Where there are variants/,
  'parameters of a query depend on each other':
    /Contradicts filter|Name exactly one of objectId|both, or neither|This names no shop|1 to 100 tracking numbers/,
  'decimals of the currency': /^At most [23] decimals|has no decimals/,
  'a language of its own': /front matter|'time-zone' format/,
  'the clock': /no time that has been|Must be in the future|Must be later than now|when to call again/,
}

/** The reason why no schema states what is refused with this message; null where one could. */
export const unstatableReason = (message: string): string | null =>
  Object.entries(REASONS).find(([, pattern]) => pattern.test(message))?.[0] ?? null
