/** True in the stage of `bun run test --thorough` that runs every case. Else tests take a share that shows each kind of case. */
const isThorough = process.env.EVERY_CASE === 'true'

/** Returns how often something is repeated, or how much of it is made, in this run. */
export const often = <Value>({ quick, thorough }: { readonly quick: Value; readonly thorough: Value }): Value =>
  isThorough ? thorough : quick

/** Returns all cases in a thorough run. Else returns one of them, the next one for each next `at`, so that a list of places sees them all. */
export const casesAt = <Case>(cases: readonly Case[], at: number): readonly Case[] =>
  isThorough ? cases : cases.slice(at % cases.length, (at % cases.length) + 1)

type Choice<Lists> = { readonly [Name in keyof Lists]: Lists[Name] extends readonly (infer Value)[] ? Value : never }

/**
 * Returns combinations of one value from each list: all of them in a thorough run. Else returns as many as the first list has. Each value of the
 * first list stands in one of them. The others take turns, and `at` decides who begins.
 */
export function combinationsAt<const Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
  at: number,
): Choice<Lists>[] {
  const all = combine(lists) as Choice<Lists>[]
  if (isThorough) return all
  const [first, ...others] = Object.entries(lists)
  return (first?.[1] ?? []).map((value, place) => {
    let turn = at
    const rest = others.map(([name, values]) => {
      const chosen = [name, values[(place + turn) % values.length]]
      turn = Math.floor(turn / values.length)
      return chosen
    })
    return Object.fromEntries([[first?.[0], value], ...rest])
  })
}

const combine = (lists: Readonly<Record<string, readonly unknown[]>>): object[] =>
  Object.entries(lists).reduce<object[]>(
    (made, [name, values]) => made.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
    [{}],
  )
