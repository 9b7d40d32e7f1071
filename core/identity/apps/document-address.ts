const URL_MAX = 500

/** Whether a `client_id` is the address of a metadata document (draft-ietf-oauth-client-id-metadata-document): https, with a path, nothing more. */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > URL_MAX) return false
  const url = URL.parse(clientId)
  if (!url || url.username || url.password || url.hash || clientId.includes('#') || url.pathname === '/') return false
  // Dot segments vanish as the address is read, and a name that is written otherwise is another client.
  return url.href === clientId
}
