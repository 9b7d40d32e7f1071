import { problem, startChatServer } from './chat-server.ts'

/** One answer that a model server produced, counted even if its caller has gone. */
export interface Booked {
  readonly task: string
  readonly generation: string
  readonly isLost: boolean
  /** When its bill is known there. */
  readonly billedAt: number
}

interface Wishes {
  readonly root: string
  readonly key: string
  /** What `GET <root>/models` answers. */
  readonly models: object
  readonly fate: (task: string) => 'lost' | 'broken' | undefined
}

const THINKS_MS = 80
const BILLED_AFTER_MS = 1_500
const PIECES = ['One ', 'word ', 'after ', 'the other.']
const tokensOf = (generation: string) => ({ prompt_tokens: 20, completion_tokens: 100 + (Number(generation.split('-')[1]) % 90) })

/** What it asks for one answer, in dollars: by each answer's own count. */
export function priceOf(generation: string): number {
  const { prompt_tokens, completion_tokens } = tokensOf(generation)
  return (prompt_tokens * 0.25 + completion_tokens * 2) / 1e6
}

const wordsIn = (asked: object): string => {
  const { messages } = asked as { messages: { content: { text: string }[] }[] }
  return messages[0]?.content[0]?.text ?? ''
}

/** A model server with a memory: which task it was asked for, how often, and what it counts for each. */
export function startCountingServer({ root, key, models, fate }: Wishes) {
  const requests: string[] = []
  const booked = new Map<string, Booked>()
  const server = startChatServer({
    root,
    key,
    thinksMs: THINKS_MS,
    usage: (_, generation) => ({ ...tokensOf(generation), cost: priceOf(generation) }),
    async decide(asked, generation) {
      const task = wordsIn(asked)
      requests.push(task)
      const how = fate(task)
      await Bun.sleep(THINKS_MS)
      if (how === 'broken') return 'error_before'
      booked.set(generation, { task, generation, isLost: how === 'lost', billedAt: Date.now() + BILLED_AFTER_MS })
      return how === 'lost' ? 'cut' : undefined
    },
    answer(path, url) {
      if (path === '/models') return Response.json(models)
      if (path !== '/generation') return undefined
      const id = url.searchParams.get('id') ?? ''
      const known = booked.get(id)
      if (!known || known.billedAt > Date.now()) return problem(404, 'Generation not found')
      const { prompt_tokens, completion_tokens } = tokensOf(id)
      const counted = { native_tokens_prompt: prompt_tokens, native_tokens_completion: completion_tokens }
      return Response.json({ data: { id, finish_reason: 'stop', cancelled: false, ...counted, total_cost: priceOf(id) } })
    },
  })
  server.say({ pieces: PIECES })
  return { url: server.url, requests, booked, stop: server.stop }
}
