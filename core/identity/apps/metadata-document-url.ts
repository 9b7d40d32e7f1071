const URL_MAX = 500

/**
 * Tells if a `client_id` is the URL of a metadata document: https, a path, and neither credentials nor a fragment. Rules:
 * draft-ietf-oauth-client-id-metadata-document.
 */
export function isMetadataDocumentUrl(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > URL_MAX) return false
  const url = URL.parse(clientId)
  if (!url || url.username || url.password || url.hash || clientId.includes('#') || url.pathname === '/') return false
  // Parsing removes dot segments. An id that is written differently from its parsed form would name another client.
  return url.href === clientId
}
