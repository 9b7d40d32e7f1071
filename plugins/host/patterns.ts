const VALUE_LENGTH_MAX = 2000
const STEPS_MAX = 1e7
const TOO_MANY = 'can match in too many ways; give its repeats an end, such as {1,20}'
const TOKEN = /\\(?:[pPu]\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|(?:[*+?]|\{\d*,?\d*\})\??|[\s\S]/gu
const REPEAT = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??$/

/**
 * A pattern runs in this server, over up to 2,000 characters that people type: one that can take for ever is refused. That is a repeated
 * group that varies inside, unless each of its rounds ends with a sign that nothing else in it matches, as in `([a-z]+\.)+`; and a
 * pattern that can match in too many ways altogether.
 */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(`^(?:${pattern})$`, 'u')
  } catch {
    return 'is no regular expression'
  }
  const tokens = pattern.match(TOKEN) ?? []
  const whole: Group = { from: 0, looks: false, varies: false, ways: 1 }
  const open = [whole]
  for (const [at, token] of tokens.entries()) {
    const outer = open.at(-1)!
    if (token.startsWith('(')) open.push({ from: at, looks: /[=!]$/.test(token), varies: false, ways: 1 })
    else if (token === ')') {
      const problem = close(open.pop()!, open.at(-1)!, tokens.slice(outer.from + 1, at), repeatOf(tokens[at + 1] ?? ''))
      if (problem) return problem
    } else if (tokens[at - 1] !== ')') take(outer, repeatOf(token), token === '|')
  }
  return whole.ways > STEPS_MAX ? TOO_MANY : undefined
}

interface Group {
  /** Where it opens. */
  readonly from: number
  /** It only looks ahead or behind. */
  readonly looks: boolean
  varies: boolean
  ways: number
}

function take(group: Group, { ways }: Repeat, isChoice: boolean) {
  group.ways *= ways
  group.varies ||= ways > 1 || isChoice
}

function close(group: Group, outer: Group, body: readonly string[], repeat: Repeat): string | undefined {
  if (group.ways > STEPS_MAX) return TOO_MANY
  if (group.looks) return undefined
  const isDistinct = endsDistinctly(body)
  if (group.varies && repeat.rounds > 1 && !isDistinct) return 'repeats a group that varies inside'
  outer.ways *= group.ways * (isDistinct ? 1 : repeat.ways)
  outer.varies ||= group.varies || repeat.ways > 1
  return undefined
}

/** Whether the last sign of a group, an escaped one, is matched by nothing before it. */
function endsDistinctly(body: readonly string[]): boolean {
  const last = body.at(-1) ?? ''
  if (!/^\\[^\w\s]$/.test(last)) return false
  return !body.slice(0, -1).some((token) => token === '|' || /^\\\d/.test(token) || matches(token, last.slice(1)))
}

/** What is no expression by itself (a bracket, a repeat) matches nothing. */
function matches(token: string, sign: string): boolean {
  try {
    return token !== '(' && new RegExp(`^${token}$`, 'u').test(sign)
  } catch {
    return false
  }
}

interface Repeat {
  readonly rounds: number
  readonly ways: number
}

const ONCE: Repeat = { rounds: 1, ways: 1 }

/** How often something is repeated at most, and in how many ways; once for what is no repeat. */
function repeatOf(token: string): Repeat {
  const [whole, least, comma, most] = REPEAT.exec(token) ?? []
  if (whole === undefined) return ONCE
  if (whole.startsWith('?')) return { rounds: 1, ways: 2 }
  const rounds = !whole.startsWith('{') || (comma && !most) ? VALUE_LENGTH_MAX : Number(most || least)
  return { rounds, ways: Math.max(1, rounds - (whole.startsWith('{') ? Number(least) : 0) + 1) }
}
