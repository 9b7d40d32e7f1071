import { Provider } from 'oidc-provider'
import { answerWith } from '../child.ts'
import type { Side } from './chains.ts'

const CLIENT = { id: 'bench', secret: 'a-secret-of-the-bench' }
const SCOPE = 'offline_access orders:read'
const DAY_SECONDS = 86_400

/** Another OAuth server, one process on the same runtime, which keeps what it gives in its memory: opaque tokens, refreshed by rotation. */
async function start({ chains }: { chains: number }): Promise<Side> {
  const provider = new Provider('http://127.0.0.1', {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: ['https://app.example/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    features: { introspection: { enabled: true, allowedPolicy: () => true }, devInteractions: { enabled: false } },
    scopes: SCOPE.split(' '),
    ttl: { Grant: DAY_SECONDS, RefreshToken: DAY_SECONDS, AccessToken: DAY_SECONDS },
    rotateRefreshToken: true,
    findAccount: async (_: unknown, accountId: string) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  })
  const [client, now] = [await provider.Client.find(CLIENT.id), Math.floor(Date.now() / 1000)]
  const grant = async (accountId: string) => {
    const made = new provider.Grant({ clientId: CLIENT.id, accountId })
    made.addOIDCScope(SCOPE)
    const grantId = await made.save()
    const of = { client, accountId, grantId, scope: SCOPE, gty: 'authorization_code', authTime: now, iiat: now, rotations: 0 }
    return new provider.RefreshToken(of).save()
  }
  const tokens = await Promise.all(Array.from({ length: chains }, (_, at) => grant(`person ${at}`)))
  const url = await new Promise<string>((resolve) => {
    const server = provider.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
  })
  return { token: `${url}/token`, introspection: `${url}/token/introspection`, client: CLIENT, tokens }
}

answerWith(start)
