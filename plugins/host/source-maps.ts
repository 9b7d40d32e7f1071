import { SourceMap } from 'node:module'

/** Source maps of the bundles mounted last, by hash. A line of a bundle alone tells an author nothing. */
const maps = new Map<string, string | SourceMap>()
const MAPS_MAX = 100
/** Lines that `new Function` writes before the code. */
const LINES_BEFORE = 2
const FRAME = /adapter-([0-9a-f]{64})(?:, <anonymous>)?:(\d+):(\d+)/g
const FRAMES_MAX = 20

/** Returns the name of a bundle in stack traces, in this process and in the sandbox. */
export const sourceName = (hash: string) => `adapter-${hash}`

/** Registers the source map of a bundle. Keeps the last 100. */
export function registerSourceMap({ hash, map }: { readonly hash: string; readonly map?: string }): void {
  if (map === undefined || maps.has(hash)) return
  maps.set(hash, map)
  if (maps.size > MAPS_MAX) maps.delete(maps.keys().next().value!)
}

/** Returns the place in an adapter's own files that a stack names, such as `index.ts:31:7`. Undefined if the stack names none. */
export function sourceLocationOf(stack: string | undefined): string | undefined {
  const frames = [...(stack ?? '').slice(0, 10_000).matchAll(FRAME)].slice(0, FRAMES_MAX)
  const places = frames.flatMap(([, hash, line, column]) => placeOf(hash!, Number(line), Number(column)) ?? [])
  return (places.find(({ own }) => own) ?? places[0])?.text
}

function placeOf(hash: string, line: number, column: number) {
  const map = mapOf(hash)
  const { originalSource, originalLine, originalColumn } = (map?.findEntry(line - LINES_BEFORE - 1, column - 1) ?? {}) as Partial<Entry>
  if (originalSource === undefined || originalLine === undefined) return undefined
  return { own: !originalSource.startsWith(HOST_SOURCE_PREFIX), text: `${originalSource}:${originalLine + 1}:${(originalColumn ?? 0) + 1}` }
}

interface Entry {
  readonly originalSource: string
  readonly originalLine: number
  readonly originalColumn: number
}

/** Prefix of source names that belong to the host, not to the adapter. */
export const HOST_SOURCE_PREFIX = 'serai/'

/** Parses a source map when it is first needed, after an error. */
function mapOf(hash: string): SourceMap | undefined {
  const kept = maps.get(hash)
  if (typeof kept !== 'string') return kept
  const read = new SourceMap(JSON.parse(kept))
  maps.set(hash, read)
  return read
}
