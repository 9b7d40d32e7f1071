import { AdapterError } from '../../adapter.ts'
import type { Completion, Part } from '../model.ts'
import { type LeftOut, type ToldTools, withoutTools } from './tell-tools.ts'

/** Maximum number of requests that may fail because of single tools, before all tools are left out. */
const TRIES_MAX = 6
const REASON_MAX = 500
/** Status codes of a refused request; nothing was started. */
const REFUSED = new Set(['400', '422'])

/**
 * Sends a request, and repeats it without the tools that the provider refuses, so that one tool never prevents an answer. `ask` receives
 * the request and the described tools. It throws `refused` with the provider's message before its first part. Each tool left out is
 * reported once, after the first part.
 */
export async function* tolerateTools(
  asked: Completion,
  tell: (asked: Completion) => ToldTools,
  ask: (asked: Completion, told: ToldTools) => AsyncGenerator<Part>,
): AsyncGenerator<Part> {
  const leftOut = new Map<string, LeftOut>()
  for (let tries = 1; ; tries += 1) {
    const current = withoutTools(asked, new Set(leftOut.keys()))
    const told = tell(current)
    let hasBegun = false
    try {
      for await (const part of ask(current, told)) {
        yield part.type === 'toolCall' ? { type: 'toolCall', call: told.callOf(part.call) } : part
        if (hasBegun) continue
        hasBegun = true
        for (const one of [...told.leftOut, ...leftOut.values()]) yield { type: 'leftOut', ...one }
      }
      return
    } catch (error) {
      const refused = hasBegun ? [] : refusedTools(error, current, told, { all: tries >= TRIES_MAX })
      if (refused.length === 0) throw error
      for (const one of refused) leftOut.set(one.tool, one)
    }
  }
}

/** Finds the tools that a refusal names; all tools if it names none, or if too many were refused one by one. */
function refusedTools(error: unknown, { tools = [] }: Completion, told: ToldTools, { all }: { readonly all: boolean }): LeftOut[] {
  if (!(error instanceof AdapterError) || error.reason !== 'refused' || !REFUSED.has(error.upstream.code ?? '')) return []
  const words = error.upstream.message ?? error.message
  if (told.tools.length === 0 || !/tool|function|schema|parameter/i.test(words)) return []
  const named = told.tools.filter(({ name }, at) => !all && isNamed(words, name, at)).map(({ name }) => name)
  const names = new Set(named.length > 0 ? named : told.tools.map(({ name }) => name))
  const reason = words.slice(0, REASON_MAX)
  return tools.filter(({ name }) => names.has(told.nameOf(name))).map(({ name }) => ({ tool: name, reason }))
}

/** Checks for the tool's position, as Google and Anthropic report it, or for its name, as OpenAI does. */
function isNamed(words: string, name: string, at: number): boolean {
  const places = [...words.matchAll(/(?:function_declarations|functionDeclarations)\[(\d+)\]/g)]
  const inTools = places.length > 0 ? places : [...words.matchAll(/\btools(?:\[|\.)(\d+)/g)]
  if (inTools.length > 0) return inTools.some(([, place]) => Number(place) === at)
  return [...words.matchAll(/['"`]([A-Za-z0-9_-]{1,64})['"`]/g)].some(([, said]) => said === name)
}
