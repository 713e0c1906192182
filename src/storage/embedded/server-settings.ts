// The embedded server's settings: durable as PostgreSQL's defaults, sized by the machine's memory.
import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

export type ServerSettings = Record<string, string>;

const MEGABYTE = 1024 * 1024;

/** A container's shared memory is often 64 MB, too small for parallel queries. */
function hasSmallSharedMemory(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks < 512 * MEGABYTE;
  } catch {
    return true;
  }
}

export function defaultServerSettings(memoryBytes: number = totalmem()): ServerSettings {
  const megabytes = memoryBytes / MEGABYTE;
  const between = (low: number, value: number, high: number): string =>
    `${Math.round(Math.max(low, Math.min(value, high)))}MB`;
  return {
    shared_buffers: between(64, megabytes / 16, 1024),
    effective_cache_size: between(256, megabytes / 2, 1024 * 1024),
    work_mem: between(8, megabytes / 512, 64),
    maintenance_work_mem: between(64, megabytes / 64, 512),
    max_connections: '150',
    // No replication, so bulk loads into new tables need not be logged twice.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'on',
    min_wal_size: '96MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    password_encryption: 'scram-sha-256',
    ...(hasSmallSharedMemory() && { dynamic_shared_memory_type: 'mmap' }),
  };
}

export function settingsToFile(settings: ServerSettings): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`);
  return `# Written by Strata at every start. Put your own settings at the end of postgresql.conf.\n${lines.join('\n')}\n`;
}
