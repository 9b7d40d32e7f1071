/**
 * Query key of the desk. It must not begin with `orders`: a changed order is written into all queries below that key, which hold pages of
 * rows.
 */
export const deskKey = (storeId: string, ...what: readonly string[]) => ['desk', storeId, ...what]
