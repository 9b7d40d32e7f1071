import { answerWith } from '../child.ts'

/** A server of tokens, an app that it knows, and a refresh token for each chain. */
export interface Side {
  readonly token: string
  readonly introspection: string
  readonly client: { readonly id: string; readonly secret: string }
  readonly tokens: readonly string[]
}

export interface Chained {
  readonly perSecond: number
  /** Where each chain goes on. */
  readonly tokens: readonly string[]
}

/** Each chain refreshes its token and has the new one looked into, over and over. */
async function run({ token, introspection, client, tokens, seconds }: Side & { seconds: number }): Promise<Chained> {
  const authorization = `Basic ${btoa(`${client.id}:${client.secret}`)}`
  const post = async (url: string, form: Record<string, string>) => {
    const answer = await fetch(url, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) })
    const body = (await answer.json()) as { access_token: string; refresh_token: string; active?: boolean }
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(body)}`)
    return body
  }
  const began = performance.now()
  const ends = began + seconds * 1000
  let pairs = 0
  const last = await Promise.all(
    tokens.map(async (first) => {
      let current = first
      while (performance.now() < ends) {
        const given = await post(token, { grant_type: 'refresh_token', refresh_token: current })
        current = given.refresh_token
        const { active } = await post(introspection, { token: given.access_token })
        if (!active) throw new Error(`${introspection} does not know the token that was just given.`)
        pairs += 1
      }
      return current
    }),
  )
  return { perSecond: pairs / ((performance.now() - began) / 1000), tokens: last }
}

answerWith(run)
