import { letIn, newApp } from '../../support/oauth.ts'
import { storefront } from '../../support/storefront.ts'
import { type Child, spawnChild } from '../child.ts'
import { compare, ROUNDS } from '../figures.ts'
import type { Chained, Side } from '../oauth/chains.ts'
import { perSecond, type Row } from '../table.ts'
import type { World } from '../world.ts'

const CHAINS = 32

/** Pairs of a refreshed token and a look into it: ours, which are on disk, beside those of oidc-provider, which are in its memory. */
export async function oauth(world: World, seconds: number): Promise<Row[]> {
  const [theirs, client] = [spawnChild('oauth/theirs.ts'), spawnChild('oauth/chains.ts')]
  try {
    const sides = { ours: await ourSide(world), theirs: await theirs.ask<Side>({ chains: CHAINS }) }
    const rates = { ours: chain(client, sides.ours), theirs: chain(client, sides.theirs) }
    for (const rate of [rates.ours, rates.theirs]) await rate(1)
    const { ours, ceiling } = await compare(
      () => rates.ours(seconds / ROUNDS),
      () => rates.theirs(seconds / ROUNDS),
    )
    const ratio = ours / ceiling
    const what = 'OAuth: refresh and introspect, beside oidc-provider in memory'
    return [{ what, ours: perSecond(ours), ceiling: perSecond(ceiling), ratio, target: '≥ 100 %', reached: ratio >= 1 }]
  } finally {
    await Promise.all([theirs.stop(), client.stop()])
  }
}

/** Goes on each time where it ended. */
function chain(client: Child, side: Side) {
  let { tokens } = side
  return async (seconds: number) => {
    const chained = await client.ask<Chained>({ ...side, tokens, seconds })
    tokens = chained.tokens
    return chained.perSecond
  }
}

async function ourSide({ server: { url } }: World): Promise<Side> {
  const { ask } = storefront(url)
  const email = `oauth-${Date.now()}@example.dz`
  const signedUp = await fetch(`${url}/v1/users/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Person', email, password: 'correct horse' }),
  })
  const { data } = (await signedUp.json()) as { data: { user: { id: string }; token: string } }
  const person = { id: data.user.id, email, token: data.token }
  const app = await newApp({ ok: async (method, path, { as = '', body } = {}) => (await ask(method, path, as, body)).body }, person)
  const reach = { origin: url, handle: (request: Request) => fetch(request), listening: undefined }
  const tokens: string[] = []
  for (let at = 0; at < CHAINS; at += 1) tokens.push((await letIn(reach, app, person, 'orders:read')).refresh_token)
  return { token: `${url}/oauth/token`, introspection: `${url}/oauth/introspect`, client: app, tokens }
}
