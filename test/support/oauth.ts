import { createHash, randomBytes } from 'node:crypto'
import type { Person, TestApp } from './app.ts'

/** A page as a browser has it. */
export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where it leads, if it is no page. */
  readonly location: string | null
}

type Reach = Pick<TestApp, 'origin' | 'handle' | 'listening'>

const send = (app: Reach, address: string, init: RequestInit) =>
  app.listening ? fetch(address, init) : app.handle(new Request(address, init))

/** A browser without JavaScript: keeps cookies, follows nothing by itself, sends the forms that pages have. */
export function openBrowser(app: Reach, headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>()
  let at = ''
  let page: Page | undefined

  async function ask(address: string, init: RequestInit = {}): Promise<Page> {
    at = new URL(address, app.origin).href
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await send(app, at, { ...init, redirect: 'manual', headers: { ...headers, ...(cookie && { cookie }), ...init.headers } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    page = { status: answer.status, headers: answer.headers, text: await answer.text(), location: answer.headers.get('location') }
    return page
  }

  /** The form that has this button, with what it is sent with. */
  async function press(action: string, fields: Record<string, string> = {}): Promise<Page> {
    const form = [...page!.text.matchAll(/<form[^>]*? method="post" action="([^"]+)">(.*?)<\/form>/gs)].find(([, , inside]) =>
      inside!.includes(`name="action" value="${action}"`),
    )
    if (!form) throw new Error(`There is no button ${action} on the page at ${at}: ${page?.status} ${page?.text.slice(0, 2_000)}`)
    const hidden = [...form[2]!.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [name!, value!])
    const [, project] = /<select name="project"><option value="([^"]+)"/.exec(form[2]!) ?? []
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...(project && { project }), ...fields, action })
    return ask(form[1]!.replaceAll('&amp;', '&'), { method: 'POST', body })
  }

  /** Signs in where that is asked, and goes back to where it was. */
  async function signIn({ email }: Pick<Person, 'email'>, password = 'correct horse'): Promise<Page> {
    const answer = await press('sign-in', { email, password })
    return answer.status === 303 ? ask(answer.location!) : answer
  }

  return { ask, press, signIn, cookies }
}

export type Browser = ReturnType<typeof openBrowser>

export const newVerifier = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const CALLBACK = 'https://app.example/callback'

/** Somebody's program. */
export async function newApp({ ok }: Pick<TestApp, 'ok'>, maker: Person, change: Record<string, unknown> = {}) {
  const { data } = await ok('POST', '/v1/apps', {
    as: maker.token,
    body: { name: 'Shelf Manager', redirectUris: [CALLBACK], ...change },
  })
  return data as { readonly id: string; readonly secret: string }
}

/** What a person lets an app do, from its first page to its tokens. */
export async function letIn(app: Reach, client: { id: string; secret: string }, person: Person, scope = 'stores:read') {
  const { verifier, challenge } = newVerifier()
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope,
    state: 'a state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const browser = openBrowser(app)
  await browser.ask(`/oauth/authorize?${query}`)
  await browser.signIn(person)
  const { location } = await browser.press('allow')
  const code = new URL(location!).searchParams.get('code')!
  const answer = await send(app, `${app.origin}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier }),
  })
  if (answer.status !== 200) throw new Error(`No tokens: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { access_token: string; refresh_token: string; scope: string; expires_in: number; token_type: string }
}
