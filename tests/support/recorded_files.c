/*
 * A file system for tests of power loss: it hands everything on to another folder, and records each
 * change and each sync in the order in which they were asked for. `power_loss.ts` computes from the
 * record what a disk would hold if the power had failed at any moment.
 *
 *   recorded_files FOLDER RECORD MOUNT_POINT [FUSE's options]
 *
 * A line of the record holds an operation and its fields with tabs between them, a path last. The
 * bytes of a write follow their line. Files are named by the inode of the folder behind, others by
 * their path.
 *
 *   create INODE PATH | folder PATH | remove PATH | rename PATH<tab>PATH | link PATH<tab>PATH
 *   write INODE OFFSET SIZE | size INODE SIZE | sync INODE | sync-folder PATH
 */

#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

static int folder;
static int log_file;

/* One thread serves all requests, so that the record has their order. */
static void record(const char *bytes, size_t size, const char *format, ...) {
  char line[2 * 4096 + 100];
  va_list fields;
  va_start(fields, format);
  struct iovec parts[] = {{line, vsnprintf(line, sizeof line, format, fields)}, {(char *)bytes, size}};
  va_end(fields);
  if (writev(log_file, parts, 2) != (ssize_t)(parts[0].iov_len + size)) abort();
}

/* FUSE's paths begin with a slash. */
static const char *in_folder(const char *path) {
  return path[1] == '\0' ? "." : path + 1;
}

static int result(int value) {
  return value == -1 ? -errno : 0;
}

static unsigned long inode(int file) {
  struct stat found;
  if (fstat(file, &found) == -1) abort();
  return found.st_ino;
}

static void *do_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  (void)connection;
  /* An open file that was removed goes on under no name at all. */
  config->hard_remove = 1;
  return NULL;
}

static int do_getattr(const char *path, struct stat *found, struct fuse_file_info *open) {
  if (open != NULL) return result(fstat(open->fh, found));
  return result(fstatat(folder, in_folder(path), found, AT_SYMLINK_NOFOLLOW));
}

static int do_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                      struct fuse_file_info *open, enum fuse_readdir_flags flags) {
  (void)offset, (void)open, (void)flags;
  int file = openat(folder, in_folder(path), O_RDONLY | O_DIRECTORY);
  DIR *entries = file == -1 ? NULL : fdopendir(file);
  if (entries == NULL) return -errno;
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) fill(buffer, entry->d_name, NULL, 0, 0);
  closedir(entries);
  return 0;
}

static int open_file(const char *path, mode_t mode, struct fuse_file_info *open) {
  int file = openat(folder, in_folder(path), open->flags & ~O_APPEND, mode);
  if (file == -1) return -errno;
  open->fh = file;
  return 0;
}

static int do_create(const char *path, mode_t mode, struct fuse_file_info *open) {
  int failure = open_file(path, mode, open);
  if (failure == 0) record(NULL, 0, "create\t%lu\t%s\n", inode(open->fh), in_folder(path));
  return failure;
}

static int do_open(const char *path, struct fuse_file_info *open) {
  int failure = open_file(path, 0, open);
  if (failure == 0 && open->flags & O_TRUNC) record(NULL, 0, "size\t%lu\t0\n", inode(open->fh));
  return failure;
}

static int do_release(const char *path, struct fuse_file_info *open) {
  (void)path;
  return result(close(open->fh));
}

static int do_read(const char *path, char *bytes, size_t size, off_t offset, struct fuse_file_info *open) {
  (void)path;
  ssize_t count = pread(open->fh, bytes, size, offset);
  return count == -1 ? -errno : count;
}

static int do_write(const char *path, const char *bytes, size_t size, off_t offset,
                    struct fuse_file_info *open) {
  (void)path;
  ssize_t count = pwrite(open->fh, bytes, size, offset);
  if (count == -1) return -errno;
  record(bytes, count, "write\t%lu\t%ld\t%zd\n", inode(open->fh), (long)offset, count);
  return count;
}

static int do_truncate(const char *path, off_t size, struct fuse_file_info *open) {
  int file = open != NULL ? (int)open->fh : openat(folder, in_folder(path), O_WRONLY);
  if (file == -1) return -errno;
  int failure = result(ftruncate(file, size));
  if (failure == 0) record(NULL, 0, "size\t%lu\t%ld\n", inode(file), (long)size);
  if (open == NULL) close(file);
  return failure;
}

static int do_fsync(const char *path, int without_times, struct fuse_file_info *open) {
  (void)path, (void)without_times;
  record(NULL, 0, "sync\t%lu\n", inode(open->fh));
  return 0;
}

static int do_fsyncdir(const char *path, int without_times, struct fuse_file_info *open) {
  (void)without_times, (void)open;
  record(NULL, 0, "sync-folder\t%s\n", in_folder(path));
  return 0;
}

static int do_mkdir(const char *path, mode_t mode) {
  int failure = result(mkdirat(folder, in_folder(path), mode));
  if (failure == 0) record(NULL, 0, "folder\t%s\n", in_folder(path));
  return failure;
}

static int removed(const char *path, int flags) {
  int failure = result(unlinkat(folder, in_folder(path), flags));
  if (failure == 0) record(NULL, 0, "remove\t%s\n", in_folder(path));
  return failure;
}

static int do_unlink(const char *path) {
  return removed(path, 0);
}

static int do_rmdir(const char *path) {
  return removed(path, AT_REMOVEDIR);
}

static int do_rename(const char *from, const char *to, unsigned int flags) {
  if (flags != 0) return -EINVAL;
  int failure = result(renameat(folder, in_folder(from), folder, in_folder(to)));
  if (failure == 0) record(NULL, 0, "rename\t%s\t%s\n", in_folder(from), in_folder(to));
  return failure;
}

static int do_link(const char *from, const char *to) {
  int failure = result(linkat(folder, in_folder(from), folder, in_folder(to), 0));
  if (failure == 0) record(NULL, 0, "link\t%s\t%s\n", in_folder(from), in_folder(to));
  return failure;
}

/* Sockets, modes and times are not recorded: no promise rests on them. */
static int do_mknod(const char *path, mode_t mode, dev_t device) {
  if (!S_ISSOCK(mode)) return -EPERM;
  return result(mknodat(folder, in_folder(path), mode, device));
}

static int do_chmod(const char *path, mode_t mode, struct fuse_file_info *open) {
  return result(open != NULL ? fchmod(open->fh, mode) : fchmodat(folder, in_folder(path), mode, 0));
}

static int do_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *open) {
  return result(open != NULL ? futimens(open->fh, times) : utimensat(folder, in_folder(path), times, 0));
}

static int do_statfs(const char *path, struct statvfs *space) {
  (void)path;
  return result(fstatvfs(folder, space));
}

static const struct fuse_operations OPERATIONS = {
    .init = do_init,
    .getattr = do_getattr,
    .readdir = do_readdir,
    .create = do_create,
    .open = do_open,
    .release = do_release,
    .read = do_read,
    .write = do_write,
    .truncate = do_truncate,
    .fsync = do_fsync,
    .fsyncdir = do_fsyncdir,
    .mkdir = do_mkdir,
    .unlink = do_unlink,
    .rmdir = do_rmdir,
    .rename = do_rename,
    .link = do_link,
    .mknod = do_mknod,
    .chmod = do_chmod,
    .utimens = do_utimens,
    .statfs = do_statfs,
};

int main(int count, char *words[]) {
  if (count < 4) return 2;
  folder = open(words[1], O_RDONLY | O_DIRECTORY);
  log_file = open(words[2], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  if (folder == -1 || log_file == -1) return 2;
  /* The mount point takes the place of the first two words. */
  words[2] = words[0];
  return fuse_main(count - 2, words + 2, &OPERATIONS, NULL);
}
