// SPDX-License-Identifier: MIT
#include "winsys/shared_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace pumice::winsys {

SharedFile::SharedFile(uint64_t bytes) : bytes_(bytes) {
  fd_ = memfd_create("pumice-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd_ < 0) return;
  if (ftruncate(fd_, static_cast<off_t>(bytes)) == 0 && fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) return;
  close(fd_);
  fd_ = -1;
}

SharedFile::~SharedFile() {
  if (fd_ >= 0) close(fd_);
}

int SharedFile::duplicate() const { return fcntl(fd_, F_DUPFD_CLOEXEC, 3); }

SharedMapping::SharedMapping(const SharedFile& file) : bytes_(file.bytes()) {
  if (!file.ok()) return;
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd(), 0);
  if (memory != MAP_FAILED) data_ = static_cast<uint8_t*>(memory);
}

SharedMapping::~SharedMapping() {
  if (data_) munmap(data_, bytes_);
}

}  // namespace pumice::winsys
