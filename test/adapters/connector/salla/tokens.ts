export const APP = { clientId: 'salla-app', clientSecret: 'salla_0123456789abcdef' }
export const TOKEN = 'token-of-the-shop'
export const CODE = 'code-of-the-owner'

/** Tokens of the platform: each renewal works once, and one that is used twice ends all. The first lives for so many seconds, the others two weeks. */
export function tokensOf(firstSeconds: number) {
  const state = { access: TOKEN, refresh: 'refresh-1', renewed: 0, revoked: false, asked: [] as string[] }
  const refuse = (error: string) => Response.json({ error, error_description: 'No.' }, { status: 400 })
  const give = (seconds: number) =>
    Response.json({
      token_type: 'bearer',
      access_token: state.access,
      refresh_token: state.refresh,
      expires: Math.floor(Date.now() / 1000) + seconds,
      scope: 'offline_access orders.read_write',
    })

  function answer(form: URLSearchParams): Response {
    state.asked.push(form.get('grant_type') ?? '')
    if (form.get('client_id') !== APP.clientId || form.get('client_secret') !== APP.clientSecret) return refuse('invalid_client')
    if (form.get('grant_type') === 'authorization_code') return form.get('code') === CODE ? give(firstSeconds) : refuse('invalid_grant')
    if (form.get('refresh_token') !== state.refresh) {
      state.revoked = true
      return refuse('invalid_grant')
    }
    state.renewed += 1
    Object.assign(state, { access: `${TOKEN}-${state.renewed}`, refresh: `refresh-${state.renewed + 1}` })
    return give(14 * 86_400)
  }
  return { state, answer, isGood: (header: string | null) => !state.revoked && header === `Bearer ${state.access}` }
}
