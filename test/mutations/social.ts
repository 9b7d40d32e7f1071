// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations, Planting } from './plant.ts'

/** Faults in identifying users. */
const mutations: Mutations = {
  'e-mail address read as verified': [
    ['google', 'index.ts', 'email !== undefined && yes(claims.email_verified)', 'email !== undefined'],
    ['apple', 'index.ts', 'email !== undefined && yes(claims.email_verified)', 'email !== undefined && Boolean(claims.email_verified)'],
    ['facebook', 'graph.ts', 'emailVerified: false', 'emailVerified: me.email !== undefined'],
    ['tiktok', 'index.ts', 'emailVerified: false', 'emailVerified: true'],
    ['google', 'index.ts', 'yes(claims.email_verified)', 'claims.email_verified !== false'],
  ],
  'verified without an e-mail address': [
    ['google', 'index.ts', 'email !== undefined && yes(claims.email_verified)', 'true'],
    ['apple', 'index.ts', 'email !== undefined && yes(claims.email_verified)', 'claims.email_verified !== "false"'],
  ],
  'verified e-mail address ignored': [
    ['google', 'index.ts', 'yes(claims.email_verified)', "claims.email_verified === 'true'"],
    ['apple', 'index.ts', 'yes(claims.email_verified)', 'claims.email_verified === true'],
  ],
  'user identified by a value that can change': [
    ['google', 'index.ts', 'const subject = word(claims?.sub)', 'const subject = word(claims?.email)'],
    ['facebook', 'graph.ts', 'const subject = word(me.id)', 'const subject = word(me.email) ?? word(me.id)'],
    ['tiktok', 'index.ts', 'word(user.open_id)', 'word(user.display_name)'],
    ['apple', 'index.ts', 'const subject = word(claims?.sub)', 'const subject = word(claims?.jti)'],
  ],
  'same id for several users': [
    ['google', 'index.ts', 'const subject = word(claims?.sub)', 'const subject = word(claims?.aud)'],
    ['tiktok', 'index.ts', 'const subject = word(user.open_id)', 'const subject = word(user.open_id)?.slice(0, 4)'],
  ],
  'missing or invalid identity accepted': [
    [
      'google',
      'index.ts',
      "if (!claims || subject === undefined) throw new AdapterError('unavailable', 'Google gave no identity token.')",
      '',
    ],
    ['apple', 'index.ts', 'const subject = word(claims?.sub)', 'const subject = String(claims?.sub)'],
    ['facebook', 'graph.ts', "if (subject === undefined) throw unreadable(LABEL, 'no user')", ''],
    ['tiktok', 'index.ts', "if (subject === undefined) throw unreadable(LABEL, 'no user')", ''],
    ['facebook', 'index.ts', "if (subject === undefined) throw new AdapterError('refused', 'This token names no user.')", ''],
  ],
  'unsigned e-mail address accepted': [
    [
      'apple',
      'index.ts',
      'const email = emailIn(claims.email)',
      "const email = emailIn((jsonIn(user ?? '') as { email?: string } | undefined)?.email ?? claims.email)",
    ],
    [
      'apple',
      'index.ts',
      'const subject = word(claims?.sub)',
      "const subject = word(claims?.sub) ?? word((jsonIn(user ?? '') as { sub?: string } | undefined)?.sub)",
    ],
  ],
  'token of another app accepted': [
    ['facebook', 'graph.ts', ' || word(data.app_id) !== clientId', ''],
    [
      'facebook',
      'graph.ts',
      'if (!yes(data.is_valid) || word(data.app_id) !== clientId || (ends > 0 && ends * 1000 <= context.now()))',
      'if (!yes(data.is_valid))',
    ],
    ['facebook', 'graph.ts', 'word(data.app_id) !== clientId', 'word(data.app_id) === undefined'],
  ],
  'expired token accepted': [
    [
      'tiktok',
      'index.ts',
      "if (answer.status === 401 || code === 'access_token_invalid') throw new AdapterError('refused', 'TikTok does not take this token.')",
      '',
    ],
    ['facebook', 'graph.ts', 'if (answer.status === 400 || answer.status === 401 || answer.status === 403)', 'if (answer.status === 403)'],
  ],
  'call without proof of the app': [
    ['facebook', 'graph.ts', ', appsecret_proof: proof }', ' }'],
    [
      'facebook',
      'graph.ts',
      'hmacSha256(context.credentials.clientSecret, accessToken)',
      'hmacSha256(accessToken, context.credentials.clientSecret)',
    ],
    ['facebook', 'graph.ts', 'access_token: `${clientId}|${clientSecret}`', 'access_token: token'],
  ],
  'needed field not requested': [
    ['facebook', 'graph.ts', "fields: 'id,name,email'", "fields: 'id,name'"],
    ['tiktok', 'index.ts', "const FIELDS = 'open_id,display_name'", "const FIELDS = 'open_id'"],
  ],
  'name lost or repeated': [
    [
      'apple',
      'index.ts',
      "[text(name.firstName), text(name.lastName)].filter(Boolean).join(' ')",
      "[text(name.firstName)].filter(Boolean).join(' ')",
    ],
    ['google', 'index.ts', 'nameIn(claims.name)', 'nameIn(claims.given_name)'],
    ['apple', 'index.ts', 'name: nameHint(user)', 'name: nameIn(claims.name)'],
    ['facebook', 'graph.ts', 'name: nameIn(me.name)', 'name: text(me.name)'],
    ['google', 'index.ts', 'name: nameIn(claims.name)', 'name: claims.name'],
  ],
  'missing name or address returned as empty': [
    ['google', 'index.ts', '...present({ email, name: nameIn(claims.name) })', "email: email ?? '', name: nameIn(claims.name) ?? ''"],
    ['tiktok', 'index.ts', '...present({ name: nameIn(user.display_name) })', "name: nameIn(user.display_name) ?? ''"],
  ],
  'empty or unreadable answer accepted': [
    [
      'facebook',
      'graph.ts',
      "if (!isRow(data)) throw unreadable(LABEL, 'nothing of the token')",
      "if (!isRow(data)) throw new AdapterError('refused', 'This token is over.')",
    ],
    [
      'tiktok',
      'index.ts',
      'const { data, error } = isRow(answer.value) ? answer.value : {}',
      "const { data = { user: { open_id: 'x' } }, error } = isRow(answer.value) ? answer.value : {}",
    ],
  ],
  'error reported as another': [
    [
      'facebook',
      'graph.ts',
      'if (!answer.ok) throw problemOf(context, LABEL, answer)',
      "if (!answer.ok) throw new AdapterError('refused', 'Facebook does not take this token.')",
    ],
    [
      'tiktok',
      'index.ts',
      'if (!answer.ok) throw problemOf(context, LABEL, answer)',
      "if (!answer.ok) throw new AdapterError('refused', 'TikTok does not take this token.')",
    ],
  ],
  'client secret signed wrongly': [
    ['apple', 'client-secret.ts', 'const LIFE_SECONDS = 300', 'const LIFE_SECONDS = 31_536_000'],
    ['apple', 'client-secret.ts', 'const iat = Math.floor(now() / 1000)', 'const iat = now()'],
    ['apple', 'client-secret.ts', 'const iat = Math.floor(now() / 1000)', 'const iat = Math.floor(Date.now() / 1000)'],
    ['apple', 'client-secret.ts', 'iss: teamId,', 'iss: clientId,'],
    ['apple', 'client-secret.ts', 'sub: clientId }', 'sub: teamId }'],
    ['apple', 'client-secret.ts', 'kid: keyId }', 'kid: teamId }'],
    ['apple', 'client-secret.ts', 'aud: AUDIENCE, ', ''],
    ['apple', 'client-secret.ts', "replaceAll('+', '-').replaceAll('/', '_')", "replaceAll('+', '-')"],
    ['apple', 'client-secret.ts', ".replace(/=+$/, '')", ''],
  ],
  'invalid key not reported': [
    ['apple', 'index.ts', '    await clientSecret(context)\n', ''],
    [
      'apple',
      'client-secret.ts',
      "throw new AdapterError('unauthorized', 'The private key",
      "throw new AdapterError('unavailable', 'The private key",
    ],
  ],
  'secret in a URL or a message': [
    ['tiktok', 'index.ts', 'query: { fields: FIELDS }', 'query: { fields: FIELDS, client_secret: context.credentials.clientSecret }'],
    [
      'facebook',
      'graph.ts',
      "'me', { fields: 'id,name,email', access_token: accessToken,",
      "'me', { fields: 'id,name,email', access_token: accessToken, client_secret: context.credentials.clientSecret,",
    ],
    [
      'apple',
      'client-secret.ts',
      "'The private key is none of Apple’s: enter all that stands in the file AuthKey_….p8.'",
      '`The private key ${pem} is none of Apple’s.`',
    ],
    [
      'facebook',
      'graph.ts',
      "'This token is over, or was given to another app.'",
      '`This token is over, or was given to another app than ${clientId}|${clientSecret}.`',
    ],
  ],
  'call to an undeclared host': [
    ['tiktok', 'fields.ts', "export const HOST = 'open.tiktokapis.com'", "export const HOST = 'open-api.tiktok.com'"],
    [
      'google',
      'index.ts',
      "net: ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com']",
      "net: ['accounts.google.com', 'oauth2.googleapis.com']",
    ],
    ['apple', 'index.ts', "revokeUrl: 'https://appleid.apple.com/auth/revoke'", "revokeUrl: 'https://idmsa.apple.com/auth/revoke'"],
    ['facebook', 'index.ts', "'limited.facebook.com']", "'limited.facebook.net']"],
  ],
  'sign-in request that the provider rejects': [
    ['google', 'index.ts', "pkce: 'S256'", "pkce: 'none'"],
    ['apple', 'index.ts', "responseMode: 'form_post',", ''],
    ['tiktok', 'index.ts', "clientIdName: 'client_key',", ''],
    ['google', 'index.ts', "scopes: ['openid', 'email', 'profile']", "scopes: ['email', 'profile']"],
    ['facebook', 'index.ts', 'https://www.facebook.com/{apiVersion}/dialog/oauth', 'https://www.facebook.com/dialog/oauth'],
  ],
  'identity token of another issuer accepted': [
    [
      'google',
      'index.ts',
      "issuers: ['https://accounts.google.com', 'accounts.google.com']",
      "issuers: ['https://accounts.google.com', 'https://appleid.apple.com']",
    ],
    ['apple', 'index.ts', "keysUrl: 'https://appleid.apple.com/auth/keys'", "keysUrl: 'https://appleid.apple.com/keys'"],
    ['google', 'index.ts', "algorithms: ['RS256']", "algorithms: ['HS256']"],
    ['apple', 'index.ts', "issuers: ['https://appleid.apple.com']", "issuers: ['appleid.apple.com']"],
  ],
}

export const social: Planting = { kind: 'social', mutations, sampleSize: 2, atLeast: { sorts: 18, faults: 55 } }
