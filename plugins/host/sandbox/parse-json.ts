import { yieldEvery } from '../../../core/lib/async/yield-every.ts'

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Maximum nesting. No contract needs as much; for endless nesting, the parser would take seconds to fail. */
const DEPTH_MAX = 100
/** Bytes parsed without yielding. */
const PIECE_BYTES = 64 * 1024
/** Maximum values of one row. No row of a contract holds as many. */
const PIECE_VALUES_MAX = 50_000

/** Parses untrusted JSON. Throws before parsing if that would take long: more values than `valuesMax`, or too deep nesting. */
export function parseJson(bytes: Uint8Array, valuesMax = Number.POSITIVE_INFINITY): unknown {
  const scan = openScan(bytes, valuesMax)
  scan.to(bytes.length)
  return parse(bytes)
}

/**
 * Parses untrusted JSON that may be long: its lists are parsed in pieces, and other work runs between them. Also throws if a single row is
 * too long.
 */
export async function parseLongJson(bytes: Uint8Array, valuesMax: number): Promise<unknown> {
  if (bytes.length <= PIECE_BYTES) return parseJson(bytes, valuesMax)
  const pause = yieldEvery()
  const scan = openScan(bytes, valuesMax)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    scan.to(Math.min(bytes.length, at + PIECE_BYTES))
    await pause()
  }
  const { lists, outside } = scan.end()
  const whole = parse(outside)
  const held = listsOf(whole)
  if (held.length !== lists.length) throw new SyntaxError('it names a list twice')
  for (const [at, cuts] of lists.entries()) {
    for (let piece = 1; piece < cuts.length; piece += 1) {
      for (const row of parse(bytes.subarray(cuts[piece - 1]! + 1, cuts[piece]!), '[', ']') as unknown[]) held[at]!.push(row)
      await pause()
    }
  }
  return whole
}

/**
 * Returns the value itself if it is a list, or its members that are lists. Texts are skipped, since their characters would count as
 * members.
 */
function listsOf(whole: unknown): unknown[][] {
  if (Array.isArray(whole)) return [whole]
  return whole === null || typeof whole !== 'object' ? [] : Object.values(whole).filter((value) => Array.isArray(value))
}

const parse = (bytes: Uint8Array, before = '', after = ''): unknown => JSON.parse(before + new TextDecoder().decode(bytes) + after)

/**
 * Scans JSON byte by byte and records where its lists (the value itself, or members of it) can be split. Splits are at a list's opening, at
 * commas between rows some distance apart, and at its end.
 */
function openScan(bytes: Uint8Array, valuesMax: number) {
  const lists: number[][] = []
  let cuts: number[] | undefined
  let [at, depth, values, isText, listDepth] = [0, 0, 1, false, 0]
  let [cutAt, cutValues] = [0, 1]

  function cut(list: number[], there: number) {
    if (values - cutValues > PIECE_VALUES_MAX) throw new RangeError('it holds too many values in one row')
    list.push(there)
    ;[cutAt, cutValues] = [there, values]
  }

  function open(there: number) {
    values += 1
    depth += 1
    if (depth > DEPTH_MAX) throw new RangeError('it is nested too deeply')
    if (cuts || bytes[there] !== ARRAY || depth > 2) return
    ;[cuts, listDepth] = [[], depth]
    lists.push(cuts)
    cut(cuts, there)
  }

  function close(there: number) {
    if (cuts && depth === listDepth) {
      cut(cuts, there)
      cuts = undefined
    }
    depth -= 1
  }

  return {
    to(end: number) {
      // Index access: iterating over the bytes takes ten times as long.
      for (; at < end; at += 1) {
        const sign = bytes[at]
        if (sign === QUOTE) isText = !isText
        else if (isText) at += sign === BACKSLASH ? 1 : 0
        else if (sign === COMMA) {
          values += 1
          if (cuts && depth === listDepth && (at - cutAt > PIECE_BYTES || values - cutValues > PIECE_VALUES_MAX / 10)) cut(cuts, at)
        } else if (sign === ARRAY || sign === OBJECT) open(at)
        else if (sign === ARRAY_END || sign === OBJECT_END) close(at)
      }
      if (values > valuesMax) throw new RangeError('it holds too many values')
    },
    /** Returns the splits of each list, and the JSON around the lists. */
    end() {
      const edges = lists.flatMap((list) => [list[0]! + 1, list.at(-1)!])
      const parts = [0, ...edges, bytes.length]
      const outside = Buffer.concat(
        Array.from({ length: parts.length / 2 }, (_, pair) => bytes.subarray(parts[pair * 2]!, parts[pair * 2 + 1]!)),
      )
      return { lists, outside }
    },
  }
}
